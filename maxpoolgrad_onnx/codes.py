"""The codes that errors carry: what atc prints for each beside the sentence itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

INNER_ERROR = "E19999"


@dataclass(frozen=True)
class CodeEntry:
    """A code's title as atc prints it, and beside the sentence itself a likely cause and a way out."""

    title: str
    cause: str
    solution: str


# Titles are atc's own, so that scripts which read its output find what they look for.
CODES: Mapping[str, CodeEntry] = {
    "E10001": CodeEntry(
        "Invalid_Argument",
        "The value of a flag is not one of those allowed.",
        "Give a value that the message lists.",
    ),
    "E10002": CodeEntry(
        "Invalid_Argument_Tensor_Input_Shape",
        "The value of --input_shape does not have the form of a list of shapes.",
        'Write it like "x:1,3,8,8;labels:1"; a name alone ("rate:") is a scalar.',
    ),
    "E10003": CodeEntry(
        "Invalid_Argument",
        "The value of a flag is not of the flag's type.",
        "Give an int where an int is asked for, and true or false where a bool is.",
    ),
    "E10004": CodeEntry(
        "Invalid_Argument",
        "A flag that another one needs was left out or is empty.",
        "Give it as the message says.",
    ),
    "E10007": CodeEntry(
        "Invalid_Argument",
        "A flag without a default was left out.",
        "Add the flag.",
    ),
    "E10009": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "More than one of the flags that describe profiles was given.",
        "Keep one of --dynamic_batch_size, --dynamic_image_size and --dynamic_dims.",
    ),
    "E10011": CodeEntry(
        "Invalid_Argument_Tensor_Input_Shape",
        "A dimension in --input_shape is neither a size nor a range.",
        "Write every dimension as an int of 0 or more, as -1, or as a range such as 1~8.",
    ),
    "E10016": CodeEntry(
        "Invalid_Argument_Operator_Name",
        "A name in a flag's value is no name in the model, or the entries are not separated by semicolons.",
        "Take the names from `maxpoolgrad inspect MODEL`.",
    ),
    "E10018": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "With --dynamic_batch_size an axis other than the first one is open.",
        "Leave only the first axis open, or use --dynamic_dims.",
    ),
    "E10019": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "With --dynamic_image_size other axes than height and width are open, or none is.",
        "Leave height and width open and nothing else, or use --dynamic_dims.",
    ),
    "E10020": CodeEntry(
        "Invalid_Argument",
        "A profile of --dynamic_image_size is not a height and a width.",
        'Write it like "224,224;448,448".',
    ),
    "E10022": CodeEntry(
        "Invalid_Argument",
        "The path of an output ends in a folder.",
        "Add a file name to the path, without a suffix.",
    ),
    "E10031": CodeEntry(
        "Invalid_Argument_Tensor_Input_Shape",
        "With --dynamic_batch_size no input has an open first axis.",
        "Write -1 for the first axis of the inputs whose batch changes.",
    ),
    "E10035": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "There are fewer profiles than two.",
        "Give two or more, or fix the shapes with --input_shape alone.",
    ),
    "E10036": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "There are more profiles than atc takes.",
        "Give at most a hundred.",
    ),
    "E10037": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "Profiles have different numbers of sizes.",
        "Give every profile a size for each open axis.",
    ),
    "E10038": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "A size in a profile is 0.",
        "Give sizes above 0.",
    ),
    "E10039": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "A profile is there twice.",
        "Give each profile once.",
    ),
    "E10040": CodeEntry(
        "Invalid_Argument_Tensor_Input_Shape",
        "--input_shape has a range where profiles are given.",
        "Write -1 for the axes that the profiles fix.",
    ),
    "E10041": CodeEntry(
        "Invalid_Argument_Model",
        "The file is not of the format that --framework names, or is damaged.",
        "Check --framework (5 is ONNX, 1 is .air) and the file; write the file again.",
    ),
    "E10045": CodeEntry(
        "Invalid_Argument_Tensor_Dynamic_Shape",
        "A profile has not as many sizes as the inputs have open axes.",
        "Give every profile a size for each -1 in --input_shape, in its order.",
    ),
    "E10048": CodeEntry(
        "Invalid_Argument_Tensor_Input_Shape_Range",
        "A range in --input_shape is none.",
        "Write it with the lower end first: 1~8.",
    ),
    "E10049": CodeEntry(
        "Invalid_Argument_Tensor_Input_Shape",
        "A shape in --input_shape and the model's own have different numbers of dimensions.",
        "Give as many dimensions as the model's input has.",
    ),
    "E10050": CodeEntry(
        "Invalid_Argument_Tensor_Input_Shape_Range",
        "A dimension lies outside what the model fixes for it.",
        "Give the size that the model has there.",
    ),
    "E10054": CodeEntry(
        "Invalid_Argument",
        "A flag was left out, is empty, or lost its value to the shell.",
        'Add the flag, and put values with ";" or spaces in quotation marks.',
    ),
    "E10055": CodeEntry(
        "Not_Supported",
        "A flag asks for what the embedded compiler does not do, or for an atc that is not there.",
        "Do as the message says; the atc of an installed CANN does the rest.",
    ),
    "E10056": CodeEntry(
        "Invalid_Argument",
        "Two flags were given that exclude each other.",
        "Leave one of them out.",
    ),
    "E10501": CodeEntry(
        "Not_Supported_Operator",
        "GE has no operator of this type, or none with these attributes.",
        "Write the node with operators that are supported.",
    ),
    "E11016": CodeEntry(
        "Invalid_Argument",
        "An index in --out_nodes is not below the number of the node's outputs.",
        "Give an index that the node has.",
    ),
    "E11017": CodeEntry(
        "Invalid_Argument",
        "A name in --out_nodes is no node of the model.",
        "Take the names from `maxpoolgrad inspect MODEL`.",
    ),
    "E13001": CodeEntry(
        "File_Operation_Error_Open",
        "The file is missing, empty, a folder, or not readable for this user.",
        "Check the path and its permissions.",
    ),
    "E13004": CodeEntry(
        "File_Operation_Error_Write",
        "The folder is missing, read-only or full.",
        "Make the folder, or write to another one.",
    ),
    "E13005": CodeEntry(
        "File_Operation_Error_Parse",
        "The file is not of the format that it should be, or was cut short.",
        "Write or copy the file again.",
    ),
    "E13009": CodeEntry(
        "Invalid_Argument_Operator_Name",
        "Two nodes of the graph have one name.",
        "Give every node a name of its own.",
    ),
    "E13014": CodeEntry(
        "Invalid_Argument",
        "An attribute or input of a node is not one that the operator takes.",
        "Change the node as the message says; `maxpoolgrad atc --mode=3` lists every such node of a model.",
    ),
    "E13026": CodeEntry(
        "File_Operation_Error_Invalid_Path",
        "The path does not name what it should.",
        "Give another path.",
    ),
    "E16001": CodeEntry(
        "Invalid_Argument_ONNX_Model_Data",
        "The model's graph has no node or no input.",
        "Export the model again.",
    ),
    "E16002": CodeEntry(
        "Not_Supported_Operator",
        "The model has an operator, or an opset version of one, that the converter does not know.",
        "Write the node with operators that are supported, at an opset version of 18 or below.",
    ),
    "E16004": CodeEntry(
        "Invalid_Argument_ONNX_Model_Data",
        "The model has no graph.",
        "Export the model again.",
    ),
    "E16005": CodeEntry(
        "Invalid_Argument_ONNX_Model_Data",
        "Older releases of atc accept one opset import only.",
        "Use a newer CANN, or give atc the .air beside the .om with --framework=1.",
    ),
    INNER_ERROR: CodeEntry(
        "Inner_Error",
        "The program met something that it was not made for.",
        "Set MAXPOOLGRAD_TRACEBACK=1, run the command again and report what it prints.",
    ),
    "E19010": CodeEntry(
        "Not_Supported_Operator",
        "An older release of atc has no parser for an operator of the model.",
        "Install the operator's plugin, or give atc the .air beside the .om with --framework=1.",
    ),
    "EE1001": CodeEntry(
        "Invalid_Argument",
        "The .om was made for another soc_version.",
        "Compile the model again with the --soc_version of the device.",
    ),
    "EZ3002": CodeEntry(
        "Not_Supported_Operator",
        "No kernel of this operator takes these types or shapes.",
        "Use float16 or float32, and shapes that the operator takes.",
    ),
    "EZ3003": CodeEntry(
        "Not_Supported_Operator",
        "No kernel of this operator exists for the product.",
        "Compile for a product that the message lists.",
    ),
    "145000": CodeEntry(
        "Invalid_Input_Size",
        "The bytes given for an input are not as many as the model takes.",
        "Give an array of the shape and dtype that `maxpoolgrad inspect MODEL` shows.",
    ),
}

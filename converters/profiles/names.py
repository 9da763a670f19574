"""How GE writes a model with profiles: nodes and attributes of fixed names."""

CASE_NODE = "ascend_mbatch_shape_case"
SIZES_INPUT = "ascend_mbatch_shape_data"
"""The input that says which profile runs: the runtime on a device fills it, the host does without."""
SIZES_CONST = "ascend_mbatch_shape_const"
INDEX_NODE = "ascend_mbatch_shape_mapindex"
NODE_SUFFIX = "_ascend_mbatch_batch_"
"""Behind the name of a node in the graph of a profile, in front of the profile's number."""
GRAPH_PREFIX = "Batch_"

# On Case.
COUNT = "_batch_num"
SIZES = "_pred_value_"  # and the profile's number
KIND = "mbatch_dynamic_type"
ORDER = "user_designate_shape_order"
INSERTED = "mbatch-inserted-node"

# On Data, in the root graph and in those of profiles.
OPEN_SHAPE = "_mbatch_origin_input_dims"
CASE_OF_DATA = "mbatch-switch-name"
PARENT_INDEX = "_parent_node_index"
"""On Data the input of Case that it stands for, on a description of NetOutput the output."""

OUTPUT_SHAPES = "_dynamic_output_dims"
"""On NetOutput: `profile,output,sizes` for each."""

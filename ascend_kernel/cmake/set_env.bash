# Source this before CANN starts: it makes the operators of this folder known to atc and to the runtime.
vendor_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export ASCEND_CUSTOM_OPP_PATH="$vendor_folder${ASCEND_CUSTOM_OPP_PATH:+:$ASCEND_CUSTOM_OPP_PATH}"
export LD_LIBRARY_PATH="$vendor_folder/op_api/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset vendor_folder

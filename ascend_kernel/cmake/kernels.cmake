# All of a package but the ONNX plugin: what the products need that the package has kernels for.
set(host_sources
  ${CMAKE_CURRENT_SOURCE_DIR}/op_host/max_pool_v3_grad_def.cc
  ${CMAKE_CURRENT_SOURCE_DIR}/op_host/max_pool_v3_grad_infer.cc
  ${CMAKE_CURRENT_SOURCE_DIR}/op_host/max_pool_v3_grad_tiling.cc
  ${CMAKE_CURRENT_SOURCE_DIR}/op_host/node_facts.cc)

# CANN compiles the definition once now, to generate aclnnMaxPoolV3Grad and the kernels' configuration from it.
set(generator_options -std=c++17)
foreach(folder ${include_folders})
  list(APPEND generator_options -I${folder})
endforeach()
if(MAXPOOLGRAD_OVERRIDE_BUILTIN)
  list(APPEND generator_options -DMAXPOOLGRAD_OVERRIDE_BUILTIN=1)
endif()
npu_op_code_gen(
  SRC ${host_sources}
  PACKAGE ${vendor_name}
  COMPILE_OPTIONS ${generator_options}
  OUT_DIR ${ASCEND_AUTOGEN_PATH})

file(GLOB aclnn_sources ${ASCEND_AUTOGEN_PATH}/aclnn_*.cpp)
npu_op_library(cust_opapi ACLNN ${aclnn_sources})
npu_op_library(cust_optiling TILING ${host_sources})
# The prototype is the project's own, which is wider in types than the one CANN would generate.
npu_op_library(cust_op_proto GRAPH ${host_sources} ${CMAKE_CURRENT_SOURCE_DIR}/op_graph/max_pool_v3_grad_proto.cc)
configure(cust_optiling)
configure(cust_op_proto)

npu_op_kernel_library(ascendc_kernels
  SRC_BASE ${CMAKE_CURRENT_SOURCE_DIR}/op_kernel
  TILING_LIBRARY cust_optiling)

npu_op_package_add(${vendor_name} LIBRARY cust_optiling cust_opapi cust_op_proto)
npu_op_package_add(${vendor_name} FILES ${CMAKE_CURRENT_SOURCE_DIR}/op_graph/max_pool_v3_grad_proto.h TYPE GRAPH)
npu_op_package_add(${vendor_name} LIBRARY ascendc_kernels)

"""The flags of atc that are not in our table, by their names (release of August 2026)."""

# fmt: off
IGNORED = frozenset(
    {
        "ac_parallel_enable", "aicore_num", "allow_hf32", "atomic_clean_policy", "auto_tune_mode",
        "buffer_optimize", "build_config", "cal_conf", "cluster_config", "compress_weight_conf",
        "compression_optimize_conf", "core_type", "debug_dir", "deterministic_level", "device_id",
        "disable_reuse_memory", "display_model_info", "enable_attr_compression", "enable_compress_weight",
        "enable_scope_fusion_passes", "enable_single_stream", "enable_small_channel", "external_weight",
        "fusion_switch_file", "h2d_overlapped_with_compute", "hccl_sub_comm_config", "host_env_cpu",
        "host_env_os", "input_hint_shape", "is_weight_clip", "jit_compile", "mdl_bank_path", "oo_level",
        "op_bank_path", "op_compiler_cache_dir", "op_compiler_cache_mode", "op_debug_config",
        "op_debug_level", "op_name_map", "op_precision_mode", "op_select_implmode", "optimization_switch",
        "optypelist_for_implmode", "quant_dumpable", "save_original_model", "shape_generalized_build_mode",
        "sparsity", "static_model_ops_lower_limit", "status_check", "target", "tiling_schedule_optimize",
        "virtual_type",
    }
)
# fmt: on
"""Those that change how atc works and not what the model computes: the embedded compiler goes on without."""

REFUSED = frozenset(
    {
        "customize_dtypes",
        "input_fp16_nodes",
        "input_shape_range",
        "insert_op_conf",
        "is_input_adjust_hw_layout",
        "is_output_adjust_hw_layout",
        "keep_dtype",
        "modify_mixlist",
        "raw_ge_options",
        "singleop",
        "weight",
    }
)
"""Those that change what the model computes or takes, so that going on without them would be wrong."""

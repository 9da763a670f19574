"""What the kernels move and do, counted by the CPU twin: as a table and as a plot.

workloads.py         the poolings that are measured
public_operators.py  what is known of CANN's public operators
paper.py             what the kernels must cost on paper
measure.py           one run of the twin, in figures
report.py            many of them, as tables and JSON
traffic_table.py     ours beside CANN's, in Markdown
plots.py             the same as a picture
"""

from .measure import Measurement, measure
from .report import KernelReport, kernel_report
from .workloads import WORKLOADS, Workload

__all__ = ["WORKLOADS", "KernelReport", "Measurement", "Workload", "kernel_report", "measure"]

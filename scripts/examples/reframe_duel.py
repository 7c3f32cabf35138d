"""A ReFrame test (https://reframe-hpc.readthedocs.io): a site's regression suite runs duel and checks its verdict.

    DUEL=/path/to/duel reframe -c reframe_duel.py -r

Sanity: every row was verified, right after it was timed. Performance: the arithmetic rate of each implementation, which
ReFrame compares with the references of your systems; change `reference` below to your own.
"""
import csv
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class DuelGemm(rfm.RunOnlyRegressionTest):
    descr = "matrix multiplication: verified, then timed"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    size = parameter([256])
    executable = os.environ.get("DUEL", "duel")
    keep_files = ["run.csv", "run.jsonl"]

    @run_after("init")
    def set_options(self):
        self.executable_opts = ["run", "cpu/gemm/openblas", "cpu/gemm/blocked", "--n", str(self.size),
                                "--precision", "fp32", "--out", ".", "--no-plots"]
        # ("system:partition", (value, lowest share below it, highest above it, unit)): see ReFrame's manual.
        self.reference = {"*": {"cpu/gemm/openblas": (1, -0.5, None, "GFLOP/s")}}

    def rows(self):
        with open(os.path.join(self.stagedir, "run.csv"), newline="") as file:
            return list(csv.DictReader(file))

    @sanity_function
    def all_rows_are_right(self):
        rows = sn.defer(self.rows())
        return sn.all([sn.assert_gt(sn.count(rows), 0),
                       sn.all(sn.map(lambda row: sn.assert_eq(row["status"], "ok"), rows))])

    @run_before("performance")
    def collect_rates(self):
        self.perf_variables = {
            row["implementation"]: sn.make_performance_function(sn.defer(float(row["gflops"])), "GFLOP/s")
            for row in self.rows() if row["status"] == "ok"}

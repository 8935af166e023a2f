# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures with SKaMPI and, with a baseline database, fails where an operation became slower for certain.

    reframe -c skampi_check.py -r -S skampi_check.parameter_file=/path/my.skampi -S skampi_check.baseline=/path/base.db

The comparison takes its limits from the launches on both sides, so no reference values with a tolerance are needed.
"""

import json
import os
import shlex

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import run_before, sanity_function, variable


@rfm.simple_test
class skampi_check(rfm.RunOnlyRegressionTest):
    descr = 'Times of MPI operations, measured by SKaMPI'
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = 'skampi-run'
    maintainers = ['skampi']
    tags = {'performance', 'mpi'}

    parameter_file = variable(str, value='')  # empty: the built-in quick measurements
    launches = variable(int, value=6)
    launch = variable(str, value='')  # 'srun -n {n}'; empty: what skampi-run finds
    baseline = variable(str, value='')  # database of an earlier check; empty: only values are recorded
    num_tasks = 2

    @run_before('run')
    def launch_by_skampi(self):
        # skampi-run starts the ranks, once for each launch.
        self.job.launcher = getlauncher('local')()
        self.executable_opts = [shlex.quote(self.parameter_file)] if self.parameter_file else []
        self.executable_opts += ['-n', str(self.num_tasks), '--launches', str(self.launches), '-d', 'skampi.db',
                                 '--progress', 'off']
        if self.launch:
            self.executable_opts += ['--launch', shlex.quote(self.launch)]
        self.postrun_cmds = ['skampi-report skampi.db --format json > report.json']
        if self.baseline:
            self.postrun_cmds += [
                f'skampi-report compare --baseline {shlex.quote(self.baseline)} skampi.db '
                "--fail-if 'significantly slower' > comparison.txt",
                'echo "comparison: $?"']
        self.keep_files = ['skampi.db', 'report.json']

    @sanity_function
    def measured(self):
        checks = [sn.assert_found(r'^SKAMPI: OK', self.stdout)]
        if self.baseline:
            # 0 = nothing slower, 4 = more launches are needed to know
            checks.append(sn.assert_found(r'^comparison: [04]$', self.stdout, 'an operation became slower: comparison.txt'))
        return sn.all(checks)

    @run_before('performance')
    def headlines(self):
        with open(os.path.join(self.stagedir, 'report.json'), encoding='utf-8') as file:
            report = json.load(file)
        self.perf_variables = {
            '_'.join(str(headline[part]) for part in ('kind', 'suite', 'message_bytes')):
                sn.make_performance_function(sn.defer(headline['value']), headline['unit'])
            for headline in report['subjects'][0]['headlines'] if headline['value'] is not None}

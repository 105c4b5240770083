import type { CheckResult } from '../app/doctor/check.ts';
import { clean } from './output.ts';

/** Describes checks for people: a line each, grouped by what they are about, with what to do below. */
export function describeChecks(checks: readonly CheckResult[], ms: number): string {
  const groups = Map.groupBy(checks, ({ area, tenant }) => (tenant === null ? area : `${area} of ${tenant}`));
  const sections = [...groups].map(([heading, group]) => [heading, ...group.map(describeCheck)].join('\n'));
  return clean([...sections, summarize(checks, ms)].join('\n\n'));
}

function describeCheck({ verdict, name, tried, found, ms, advice }: CheckResult): string {
  const took = verdict === 'skipped' ? '' : ` (${ms} ms)`;
  const indented = found.replaceAll('\n', `\n${' '.repeat(11)}`);
  const line = `  ${verdict.padEnd(8)} ${name}: ${tried}: ${indented}${took}`;
  return advice === null ? line : `${line}\n  ${' '.repeat(9)}→ ${advice}`;
}

function summarize(checks: readonly CheckResult[], ms: number): string {
  const count = (verdict: CheckResult['verdict']) => checks.filter((check) => check.verdict === verdict).length;
  const warnings = count('warning') === 1 ? '1 warning' : `${count('warning')} warnings`;
  const counts = `${count('ok')} ok, ${warnings}, ${count('failed')} failed, ${count('skipped')} skipped`;
  return `${counts} in ${(ms / 1000).toFixed(1)} s`;
}

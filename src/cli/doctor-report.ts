import type { CheckResult } from '../app/doctor/check.ts';
import { plural } from '../base/text.ts';
import { clean, type Paint } from './output.ts';

const colors = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const;

/** Describes checks for people: a line each, grouped by what they are about, with what to do below. */
export function describeChecks(checks: readonly CheckResult[], ms: number, paint: Paint = (_, text) => text): string {
  const groups = Map.groupBy(checks, headingOf);
  const sections = [...groups].map(([heading, group]) =>
    [paint('bold', heading), ...group.map((check) => describeCheck(check, paint))].join('\n'),
  );
  return [...sections, summarize(checks, ms)].join('\n\n');
}

/** Names what checks are about; a warehouse without an id is called so already. */
const headingOf = ({ area, tenant }: CheckResult): string =>
  clean(tenant === null || tenant === area ? area : `${area} of ${tenant}`);

function describeCheck({ verdict, name, tried, found, ms, advice }: CheckResult, paint: Paint): string {
  const took = verdict === 'skipped' ? '' : ` (${ms} ms)`;
  const indented = found.replaceAll('\n', `\n${' '.repeat(11)}`);
  const line = `  ${paint(colors[verdict], verdict.padEnd(8))} ${clean(`${name}: ${tried}: ${indented}${took}`)}`;
  return advice === null ? line : `${line}\n  ${' '.repeat(9)}→ ${clean(advice)}`;
}

function summarize(checks: readonly CheckResult[], ms: number): string {
  const count = (verdict: CheckResult['verdict']) => checks.filter((check) => check.verdict === verdict).length;
  const counts = `${count('ok')} ok, ${plural(count('warning'), 'warning')}, ${count('failed')} failed, ${count('skipped')} skipped`;
  return `${counts} in ${(ms / 1000).toFixed(1)} s`;
}

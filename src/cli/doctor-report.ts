import type { CheckResult } from '../app/doctor/check.ts';
import { plural } from '../base/text.ts';
import { clean, hang, type Output } from './output.ts';

const colors = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const;

type Screen = Pick<Output, 'paint' | 'columns'>;

const plain: Screen = { paint: (_, text) => text, columns: Number.POSITIVE_INFINITY };

/** What was found before what was tried, grouped, with the advice below. */
export function describeChecks(checks: readonly CheckResult[], ms: number, screen = plain): string {
  const groups = Map.groupBy(checks, headingOf);
  const sections = [...groups].map(([heading, group]) =>
    [screen.paint('bold', heading), ...group.map((check) => describeCheck(check, screen))].join('\n'),
  );
  return [...sections, summarize(checks, ms)].join('\n\n');
}

/** A warehouse without an id is called so already. */
const headingOf = ({ area, tenant }: CheckResult): string =>
  clean(tenant === null || tenant === area ? area : `${area} of ${tenant}`);

const INDENT = 11;
const ADVICE = 13;

function describeCheck({ verdict, name, tried, found, ms, advice }: CheckResult, { paint, columns }: Screen): string {
  const took = verdict === 'skipped' ? '' : ` · ${ms} ms`;
  const said = hang(clean(`${name}: ${found} · ${tried}${took}`), columns, INDENT);
  const line = `  ${paint(colors[verdict], verdict.padEnd(8))} ${said}`;
  return advice === null ? line : `${line}\n${'→ '.padStart(ADVICE)}${hang(clean(advice), columns, ADVICE)}`;
}

function summarize(checks: readonly CheckResult[], ms: number): string {
  const count = (verdict: CheckResult['verdict']) => checks.filter((check) => check.verdict === verdict).length;
  const counts = `${count('ok')} ok, ${plural(count('warning'), 'warning')}, ${count('failed')} failed, ${count('skipped')} skipped`;
  return `${counts} in ${(ms / 1000).toFixed(1)} s`;
}

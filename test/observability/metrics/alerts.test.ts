import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { table } from '../../../src/observability/metrics/table.ts';
import { anchorOf, headingsOf } from '../../support/anchors.ts';
import { hasPromtool, promtool } from './promtool.ts';

const folder = join(import.meta.dirname, '../../../deploy/prometheus');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook_url: string };
}

const rules: readonly Rule[] = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')).groups.flatMap(
  (group: { readonly rules: readonly Rule[] }) => group.rules,
);

describe('the alert rules', () => {
  it('use metrics of the table only', () => {
    const named = rules.flatMap(({ expr }) => expr.match(/dockline_\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(rules.length / 2);
    expect(named.filter((name) => !(name in table))).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s leads to a heading of the documentation', (_, rule) => {
    const [page = '', anchor = ''] = rule.annotations.runbook_url.split('#');
    expect(headingsOf(page).map(anchorOf)).toContain(anchor);
  });

  it.runIf(hasPromtool)('fire when they should, and not before, as promtool evaluates them', async () => {
    const { code, said } = await promtool(['test', 'rules', join(folder, 'alerts.test.yaml')]);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('SUCCESS') });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRules } from '../../../proving/faults/alerts/rules.ts';
import { table } from '../../../src/observability/metrics/table.ts';
import { hasPromtool, promtool } from './promtool.ts';

const folder = join(import.meta.dirname, '../../../deploy/prometheus');
const rules = readRules();

/** Returns the anchors of a page, as repository pages have them. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the alert rules', () => {
  it('use metrics of the table only', () => {
    const named = rules.flatMap(({ expr }) => expr.match(/dockline_\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(rules.length / 2);
    expect(named.filter((name) => !(name in table))).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s leads to a heading of the documentation', (_, rule) => {
    const [page = '', anchor = ''] = rule.annotations.runbook_url.split('#');
    expect(anchorsOf(page)).toContain(anchor);
  });

  it.runIf(hasPromtool)('fire when they should, and not before, as promtool evaluates them', async () => {
    const { code, said } = await promtool(['test', 'rules', join(folder, 'alerts.test.yaml')]);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('SUCCESS') });
  });
});

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { table } from '../../../src/observability/metrics/table.ts';
import { createDashboard, file, writeDashboard } from '../../../tools/dashboard/dashboard.ts';
import { rows } from '../../../tools/dashboard/layout.ts';
import { hasPromtool, promtool } from '../../observability/metrics/promtool.ts';
import { openFolder } from '../../support/temporal-server.ts';

const { panels } = createDashboard();
const queries = panels.flatMap((panel) => ('targets' in panel ? panel.targets.map(({ expr }) => expr) : []));

describe('the dashboard', () => {
  it('is the one that the table of metrics makes', () => {
    const isCurrent = readFileSync(file, 'utf8') === writeDashboard();
    expect(isCurrent, `${file} is behind the table: npm run dashboard writes it`).toBe(true);
  });

  it('shows every metric of the table once', () => {
    const shown = rows
      .flatMap(({ panels: specs }) => specs.map(({ metric }) => metric))
      .filter((name) => name in table);
    expect(shown.sort()).toEqual(Object.keys(table).sort());
  });

  it('gives each panel a place of its own within the 24 columns', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it.runIf(hasPromtool)('asks what Prometheus understands', async () => {
    const rules = queries.map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'dockline'),
    }));
    expect(rules.length).toBeGreaterThan(panels.length - rows.length);
    const folder = await openFolder();
    const rulesFile = join(folder, 'rules.json');
    await writeFile(rulesFile, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { code, said } = await promtool(['check', 'rules', rulesFile]);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining(`${rules.length} rules found`) });
  });
});

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPromtool, promtool } from '../../../test/observability/metrics/promtool.ts';
import { createFolder } from '../../../test/support/temporal-server.ts';
import { faults } from '../faults.ts';
import { reportAlerts, toAlertsResult, withoutOutage } from './report.ts';
import { readRules, rulesFile, scaleRules } from './rules.ts';

describe('the alerts', () => {
  it('have an outage each, as the conditions that people are told of, and the faults name no others', () => {
    expect(withoutOutage()).toEqual([]);
    const names = readRules().map(({ alert }) => alert);
    expect(faults.flatMap(({ alerts = [] }) => alerts).filter((alert) => !names.includes(alert))).toEqual([]);
  });

  it('fail the command if one of them does not fire, or does not clear', () => {
    const seen = { alert: 'DocklineDown', outage: 'worker-down', firedAfter: 2, clearedAfter: 7, summary: 'down' };
    expect(toAlertsResult([{ seen: [seen] }])).toEqual({ well: true, alerts: [seen], problems: [] });
    const { clearedAfter: _clearedAfter, ...fired } = seen;
    const failed = toAlertsResult([{ seen: [seen, fired], problem: 'not seen within 360 s: DocklineDown clears' }]);
    expect(failed.well).toBe(false);
    expect(toAlertsResult([{ seen: [fired] }]).well).toBe(false);
    expect(toAlertsResult([]).well).toBe(false);
    expect(reportAlerts(failed)).toMatch(/worker-down +2 s +never +down\n.*FAILED: not seen within 360 s/s);
  });
});

describe('rules of which a minute takes a second', () => {
  const scaled = scaleRules(readFileSync(rulesFile, 'utf8'));

  it('have shorter windows and limits, and equal shares', () => {
    const exprs = new Map(readRules(scaled).map(({ alert, expr }) => [alert, expr]));
    expect(exprs.get('DocklineDeliveriesNotAccepted')).toContain('[5s])) > 0');
    expect(scaled.match(/^ *for: \d+s/gm)).toHaveLength(scaled.match(/^ *for: /gm)?.length ?? 0);
  });

  it.runIf(hasPromtool)('are rules to Prometheus', async () => {
    const folder = await createFolder();
    onTestFinished(folder.remove);
    const file = join(folder.path, 'alerts.yaml');
    await writeFile(file, scaled);
    expect((await promtool(['check', 'rules', file])).code).toBe(0);
  });
});

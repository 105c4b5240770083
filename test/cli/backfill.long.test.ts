import { describe, expect, it } from 'vitest';
import { describeOutcome, describeProgress } from '../../src/cli/sweep.ts';
import { run } from './running-command.ts';

describe('dockline backfill', () => {
  it.each([[[]], [['--since', '30d', '--open']]])('refuses %j', async (args) => {
    const { written, ended } = run('backfill', args);
    expect(await ended).toBe(2);
    expect(written.stderr).toBe('dockline: say either --since or --open\n');
  });

  it('accepts its options, and says that Dockline is not running', async () => {
    const args = ['--open', '--kind', 'order', '--dry-run', '--tenant', '9104', '--json'];
    const { written, ended } = run('backfill', args, { TEMPORAL_PORT: '1' });
    expect(await ended).toBe(1);
    expect(written.stderr).toBe('dockline: Temporal does not answer at 127.0.0.1:1; is Dockline running?\n');
  });
});

describe('the report of a backfill', () => {
  const backfill = { open: true, dryRun: false };
  const tallies = { order: { rows: 30, open: 0, differing: 20, missing: 0, fed: 19 } };
  const reconciled = { tenant: '9104', startedAt: 0, since: 0, tallies, backfill };

  it('shows how far it is', () => {
    const part = { kind: 'order', of: 'changed', since: 0, after: '7' } as const;
    expect(describeProgress({ ...reconciled, parts: [part], failures: [] }, 'attempt 2, since …')).toBe(
      'warehouse 9104, order: changed after 7: 30 listed, 0 open, 20 differing, 0 missing, 19 ingested; attempt 2, since …',
    );
  });

  it('shows what is known and new, and what comes of it', () => {
    expect(describeOutcome(reconciled)).toMatch(
      /^Warehouse 9104, open subjects:\n.+\n.+\norder +30 +0 +20 +0 +19\nEach ingested subject becomes known now, and nothing of it is announced\.$/,
    );
    expect(describeOutcome({ ...reconciled, backfill: { ...backfill, dryRun: true } })).toContain('a dry run');
  });
});

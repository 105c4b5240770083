import { describe, expect, it } from 'vitest';
import { createFaultInjector, describeFaults } from '../../../sandbox/simulator/api/faults.ts';
import { createManners, describeManners, parseManners } from '../../../sandbox/simulator/manners.ts';
import { createStream } from '../../../sandbox/simulator/random.ts';

describe('manners', () => {
  it('are parsed from text, whatever their type', () => {
    const given = parseManners([
      ['wrapped', 'true'],
      ['spelling', 'label'],
    ]);
    expect(given).toEqual({ ...createManners().current(), wrapped: true, spelling: 'label' });
    expect(() => parseManners([['wrapped', 'perhaps']])).toThrow(/wrapped/);
    expect(() => parseManners([['polite', 'true']])).toThrow(/polite/);
  });

  it('are described, each with its default', () => {
    const lines = describeManners().split('\n');
    const names = Object.keys(createManners().current());
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(names);
    expect(lines.join('\n')).toContain('(name, alias, label, renamed; default: name)');
    expect(lines.every((line) => / \S.+ \((.+; )?default: .+\)$/.test(line))).toBe(true);
  });

  it('and faults are described likewise', () => {
    const lines = describeFaults().split('\n');
    const names = Object.keys(createFaultInjector(createStream(1, 'faults')).current());
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(names);
    expect(lines.every((line) => / \S.+ \(default: .+\)$/.test(line))).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { createProgress } from '../../src/cli/output.ts';

describe('progress', () => {
  const record = (isTTY: boolean) => {
    const written: string[] = [];
    let now = 0;
    const progress = createProgress({ isTTY, write: (text) => written.push(text) }, () => now);
    return { written, progress, pass: (ms: number) => (now += ms) };
  };

  it('rewrites its line in a terminal', () => {
    const { written, progress } = record(true);
    for (const line of ['1 of 2', '1 of 2', '2 of 2']) progress.show(line);
    progress.end();
    expect(written.join('')).toBe('\r\x1b[2K1 of 2\r\x1b[2K2 of 2\n');
  });

  it('writes a line every two seconds elsewhere', () => {
    const { written, progress, pass } = record(false);
    progress.show('1 of 3');
    progress.show('2 of 3');
    pass(2000);
    progress.show('3 of 3');
    progress.end();
    expect(written).toEqual(['1 of 3\n', '3 of 3\n']);
  });
});

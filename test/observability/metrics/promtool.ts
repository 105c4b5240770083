import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Reports whether Prometheus' own tool is installed (Debian's package `prometheus`). */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Runs promtool with a text as its input; returns its exit code and what it says. */
export async function promtool(args: readonly string[], input = ''): Promise<{ code: number | null; said: string }> {
  const child = spawn('promtool', [...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, said: out + err };
}

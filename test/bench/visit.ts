import { pass } from './end-to-end.ts';
import type { Extent, Section } from './extent.ts';
import { figure } from './figure.ts';
import { live } from './quiet.ts';
import type { Integration, Passage, Pattern, Visit } from './results.ts';
import type { Surroundings } from './surroundings.ts';
import { openSystem } from './system.ts';

/** What is measured on a visit. */
export interface Plan {
  readonly patterns: readonly Pattern[];
  readonly lives: boolean;
}

/** What the chosen sections need of every integration. */
export const planOf = (chosen: ReadonlySet<Section>): Plan => ({
  patterns: chosen.has('endToEnd') ? ['16', '64', 'burst'] : [],
  lives: chosen.has('quiet'),
});

/** Whether a plan has anything in it. */
export const isPlanned = ({ patterns, lives }: Plan): boolean => patterns.length > 0 || lives;

type VisitOptions = Surroundings & { readonly extent: Extent };

/** Opens a system, warms it up, and measures what is planned: loads first, then single events when it is idle. */
export async function visit(integration: Integration, plan: Plan, options: VisitOptions): Promise<Visit> {
  const { extent, say } = options;
  await using opened = new AsyncDisposableStack();
  const system = await openSystem(integration, options, opened);
  await pass(system, '16', extent.warmUpOrders);
  const passages: Partial<Record<Pattern, Passage>> = {};
  for (const pattern of plan.patterns) {
    const passage = await pass(system, pattern, extent.orders);
    passages[pattern] = passage;
    const { eventsPerSecond, p99Ms } = passage;
    say(
      `${integration}, ${sayings[pattern]}: ${figure(eventsPerSecond)} events a second, ${figure(p99Ms)} ms the slowest of a hundred answers`,
    );
  }
  const lives = plan.lives ? await live(system, extent.lives) : undefined;
  if (lives) say(`${integration}, one webhook when idle: ${figure(lives.ms)} ms`);
  const verdict = system.verdict();
  say(`${integration}: ${verdict.lost} lost, ${verdict.duplicates} duplicates, ${verdict.outOfOrder} out of order`);
  return { integration, passages, ...(lives && { lives }), verdict };
}

const sayings = { '16': '16 orders at a time', '64': '64 orders at a time', burst: 'all orders at once' } as const;

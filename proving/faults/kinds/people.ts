import { setTimeout as pause } from 'node:timers/promises';
import { engines, type Fault, type FaultContext, FaultError, startLoad } from '../fault.ts';
import type { People } from '../fixture/people.ts';

/** Time in which something is told: longer than the lease of a process that was killed, with two rounds and a wait of a channel. */
const TOLD_WITHIN_MS = 200_000;

/** People are told once that a destination fails and once that it is over, though the channel is down each time, and all processes are killed in between. */
export const peopleAreTold: Fault = {
  name: 'people-told',
  description: 'the destination is down, and so is, for a while, the channel by which people are told',
  needs: engines,
  mayRepeat: true,
  told: ['destination-failing'],

  async run(context) {
    const { fixture, say, untilHealthy, endure, settle } = context;
    const { simulator, gate, processes, people } = fixture;
    if (!people) throw new Error('the fixture has no channel');
    const stopLoad = startLoad(simulator);
    await untilHealthy();
    gate.set('closed');
    say(this.description);
    await tellLate(context, people, 'destination-failing opened');
    await endure();
    await stopLoad();
    gate.set('open');
    await tellLate(context, people, 'destination-failing over', async () => {
      await Promise.all(processes.map((it) => it.kill()));
      await Promise.all(processes.map((it) => it.start()));
    });
    await settle();
    const told = newsOf(people);
    if (told.join() !== 'destination-failing opened,destination-failing over')
      throw new FaultError(`people were told ${told.join('; ')}`);
  },
};

const newsOf = (people: People): readonly string[] =>
  people.told().map(({ condition, change }) => `${condition} ${change}`);

/** Waits until something is told that the channel, which is down, has not taken at first. */
async function tellLate(
  { say, signal }: FaultContext,
  people: People,
  news: string,
  act: () => Promise<void> = async () => undefined,
): Promise<void> {
  const before = people.refused();
  people.setDown(true);
  await until(() => people.refused() > before, `nobody tried to tell: ${news}`, signal);
  await act();
  people.setDown(false);
  await until(() => newsOf(people).includes(news), `nobody was told: ${news}`, signal);
  say(`told late: ${news}`);
}

async function until(isSo: () => boolean, problem: string, signal: AbortSignal): Promise<void> {
  const end = Date.now() + TOLD_WITHIN_MS;
  while (!isSo()) {
    if (Date.now() > end) throw new FaultError(problem);
    await pause(200, undefined, { signal });
  }
}

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReceiverLies } from '../../../sandbox/receiver/lies.ts';
import { type Receiver, startReceiver } from '../../../sandbox/receiver/receiver.ts';
import { type Fault, type FaultContext, FaultError, startLoad } from '../fault.ts';
import { FOREVER_MS, type Gate, openGate } from '../fixture/gate.ts';

/** Destination beside the one of every fixture, with a gate before its receiver. */
interface Other {
  readonly name: string;
  readonly receiver: Receiver;
  readonly gate: Gate;
}

const secret = `whsec_${randomBytes(24).toString('base64')}`;

/** Time in which the others have got everything after their outage, in milliseconds. */
const PATIENCE_MS = 180_000;

async function openOther(name: string, opened: AsyncDisposableStack, lies: Partial<ReceiverLies> = {}): Promise<Other> {
  const receiver = opened.adopt(await startReceiver({ port: 0, secret, lies }), (it) => it.close());
  const target = { host: '127.0.0.1', port: Number(new URL(receiver.url).port) };
  const gate = opened.adopt(await openGate(target), (it) => it.close());
  return { name, receiver, gate };
}

/** Adds a destination while Dockline runs. */
async function add({ fixture: { adminUrl } }: FaultContext, { name, receiver, gate }: Other): Promise<void> {
  const url = new URL(receiver.url);
  url.port = String(gate.port);
  const response = await fetch(`${adminUrl}/destinations/9104/${name}/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: url.href, secret }),
  });
  if (!response.ok) throw new Error(`the destination ${name} was not added: ${await response.text()}`);
}

/**
 * Waits until another destination has got exactly what the first one got, each under one id and in order. One that refuses a fifth of all
 * attempts refuses an announcement four times in a row now and then, and then gets the next one first, as is documented.
 */
async function expectSame({ fixture, signal, say }: FaultContext, { name, receiver }: Other): Promise<void> {
  const idsOf = (one: Pick<Receiver, 'received'>) => new Set(one.received().map(({ id }) => id));
  const differing = () => [...idsOf(fixture.receiver).symmetricDifference(idsOf(receiver))];
  const until = Date.now() + PATIENCE_MS;
  while (differing().length > 0 && Date.now() < until) await pause(200, undefined, { signal });
  const { received, duplicates, outOfOrder } = receiver.tally();
  say(`${name} got ${received}, ${outOfOrder} out of order, ${duplicates} repeated`);
  if (differing().length > 0) throw new FaultError(`${name} got others: ${differing().join(', ')}`);
  if (outOfOrder > 0 && name !== 'refusing') throw new FaultError(`${name} got ${outOfOrder} out of order`);
}

/** Three destinations beside a healthy one: one hangs, one refuses a fifth of all attempts, and one is killed again and again. */
export const severalDestinations: Fault = {
  name: 'several-destinations',
  description: 'of four destinations one hangs, one refuses a fifth of all attempts, and one is killed again and again',
  needs: ['sqlite', 'postgres'],
  mayRepeat: false,
  inject: async () => ({ args: [], env: { DESTINATION_KEYS: `first:${randomBytes(32).toString('base64')}` } }),

  async run(context) {
    const { fixture, moments, say, signal, settle } = context;
    await using opened = new AsyncDisposableStack();
    const hanging = await openOther('hanging', opened);
    const refusing = await openOther('refusing', opened, { retryAfterZero: 0.2 });
    const killed = await openOther('killed', opened);
    const others = [hanging, refusing, killed];
    for (const other of others) await add(context, other);

    const stopLoad = startLoad(fixture.simulator);
    await context.untilHealthy();
    hanging.gate.set({ delayMs: () => FOREVER_MS });
    const over = context.endure().then(() => true);
    say(this.description);
    const before = fixture.receiver.tally().received;
    do {
      killed.gate.set('closed');
      await pause(moments.between(200, 1500), undefined, { signal });
      killed.gate.set('open');
    } while (!(await Promise.race([over, pause(moments.between(200, 1500), false, { signal })])));
    if (fixture.receiver.tally().received === before) throw new FaultError('the healthy one got nothing meanwhile');
    say(`the healthy one got ${fixture.receiver.tally().received - before} meanwhile`);
    await stopLoad();
    await settle();
    // What a gate has delayed is cut, so that nothing waits for it.
    hanging.gate.set('open');
    hanging.gate.cut();
    for (const other of others) await expectSame(context, other);
  },
};

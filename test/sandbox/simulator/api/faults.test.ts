import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../../sandbox/simulator/simulator.ts';
import { get, openSimulator } from '../open.ts';

const customer = (simulator: Simulator) => get(simulator, '/customers/418');

describe('/simulator/faults', () => {
  const put = ({ baseUrl }: Simulator, body: unknown) =>
    fetch(`${baseUrl}/simulator/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('changes only the faults that it names', async () => {
    const simulator = await openSimulator({ faults: { latencyMs: 1 } });
    const answer = await put(simulator, { down: true });
    expect(await answer.json()).toMatchObject({ down: true, latencyMs: 1 });
    expect((await customer(simulator)).status).toBe(503);
  });

  it.each([
    { errorRate: 2 },
    { ignoreRql: 'always' },
    { unknown: 1 },
    { forbidden: ['getEverything'] },
    [1],
    'down',
    null,
  ])('refuses %j', async (body) => {
    const simulator = await openSimulator();
    expect((await put(simulator, body)).status).toBe(400);
    expect((await customer(simulator)).status).toBe(200);
  });
});

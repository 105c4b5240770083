import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../../sandbox/simulator/simulator.ts';
import { get, newToken, openSimulator } from '../open.ts';

const customer = (simulator: Simulator) => get(simulator, '/customers/418');

describe('a fault', () => {
  it('with a rate affects that share of requests', async () => {
    const simulator = await openSimulator({ faults: { errorRate: 0.3 } });
    const headers = { authorization: `Bearer ${await newToken(simulator)}` };
    const statuses: number[] = [];
    for (let call = 0; call < 200; call += 1) {
      statuses.push((await fetch(`${simulator.baseUrl}/customers/418`, { headers })).status);
    }
    const failed = statuses.filter((status) => status === 500).length;
    expect(failed).toBeGreaterThan(35);
    expect(failed).toBeLessThan(85);
    expect(statuses.filter((status) => status === 200)).toHaveLength(200 - failed);
  });
});

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

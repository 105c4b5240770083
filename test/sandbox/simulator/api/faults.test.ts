import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../../sandbox/simulator/simulator.ts';
import { get, newToken, openSimulator, requestToken } from '../open.ts';

const customer = (simulator: Simulator) => get(simulator, '/customers/418');

describe('a fault', () => {
  it('of latency delays every answer', async () => {
    const simulator = await openSimulator({ faults: { latencyMs: 150 } });
    const start = performance.now();
    expect((await customer(simulator)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(145);
  });

  it('of rate limits answers 429 with Retry-After or without', async () => {
    const simulator = await openSimulator({ faults: { rateLimitRate: 1, retryAfterSeconds: 7 } });
    const withHeader = await customer(simulator);
    expect([withHeader.status, withHeader.headers.get('retry-after')]).toEqual([429, '7']);
    simulator.setFaults({ retryAfterSeconds: null });
    const without = await customer(simulator);
    expect([without.status, without.headers.get('retry-after')]).toEqual([429, null]);
  });

  it('of failures answers 500 in plain text', async () => {
    const { status, headers } = await customer(await openSimulator({ faults: { errorRate: 1 } }));
    expect(status).toBe(500);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('of authentication answers 401 whatever the token', async () => {
    const simulator = await openSimulator();
    const headers = { authorization: `Bearer ${await newToken(simulator)}` };
    simulator.setFaults({ unauthenticated: true });
    expect((await fetch(`${simulator.baseUrl}/customers/418`, { headers })).status).toBe(401);
    simulator.setFaults({ unauthenticated: false });
    expect((await fetch(`${simulator.baseUrl}/customers/418`, { headers })).status).toBe(200);
  });

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

  it('of being down answers 503 to the API and the key, not to the token and control endpoints', async () => {
    const simulator = await openSimulator({ faults: { down: true } });
    expect((await customer(simulator)).status).toBe(503);
    expect((await fetch(`${simulator.baseUrl}/events/webhook/key`)).status).toBe(503);
    expect((await requestToken(simulator)).status).toBe(200);
    expect((await fetch(`${simulator.baseUrl}/simulator/truth`)).status).toBe(200);
  });

  it('affects the token endpoint with tokenToo', async () => {
    const simulator = await openSimulator({ faults: { down: true, tokenToo: true } });
    expect((await requestToken(simulator)).status).toBe(503);
  });

  it('of a missing permission answers 403 to that operation until it is granted', async () => {
    const simulator = await openSimulator();
    simulator.setFaults({ forbidden: ['getUser'] });
    const refused = await get(simulator, '/uiproperties/users/2108');
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ ErrorCode: 'Forbidden' });
    expect((await customer(simulator)).status).toBe(200);
    simulator.setFaults({ forbidden: [] });
    expect((await get(simulator, '/uiproperties/users/2108')).status).toBe(200);
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

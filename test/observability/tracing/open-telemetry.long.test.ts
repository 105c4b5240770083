import { describe, expect, it } from 'vitest';
import { openTraces } from './open-traces.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const remote = `00-${traceId}-${spanId}-01`;
const other = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

describe('a span', () => {
  it('continues the first trace, links the others, and is the parent of those within', async () => {
    const { collector, tracing } = await openTraces();
    const seen = await tracing.span(
      'outer',
      {
        kind: 'server',
        traces: [remote, other],
        links: [other, 'no trace'],
        attributes: { a: 'x', n: 7, none: undefined },
      },
      async () => {
        tracing.annotate({ later: 'y' });
        tracing.ended('call', { ms: 20, error: 'answered 500' });
        return await tracing.span('inner', {}, async () => tracing.current());
      },
    );
    await tracing.close();
    const [call, inner, outer] = collector.spans();
    expect(outer).toMatchObject({
      name: 'outer',
      traceId,
      parentId: spanId,
      service: 'dockline',
      attributes: { a: 'x', n: 7, later: 'y' },
      error: undefined,
      links: [`${'ab'.repeat(16)} ${'cd'.repeat(8)}`, `${'ab'.repeat(16)} ${'cd'.repeat(8)}`],
    });
    expect(inner).toMatchObject({ name: 'inner', traceId, parentId: outer?.spanId, links: [] });
    expect(call).toMatchObject({ name: 'call', traceId, parentId: outer?.spanId, error: 'answered 500' });
    expect(call?.ms).toBeGreaterThanOrEqual(19);
    expect(seen).toBe(`00-${traceId}-${inner?.spanId}-01`);
  });

  it('begins a trace without another, and there is none outside', async () => {
    const { collector, tracing } = await openTraces();
    tracing.ended('nowhere', { ms: 1 });
    tracing.annotate({ nowhere: 'x' });
    expect(tracing.current()).toBeUndefined();
    await tracing.span('one', { traces: ['', '00-0-0-00', `00-${'0'.repeat(32)}-${spanId}-01`] }, async () => {});
    await tracing.close();
    expect(collector.spans()).toMatchObject([{ name: 'one', parentId: '' }]);
  });

  it('has the error of its work, which is thrown', async () => {
    const { collector, tracing } = await openTraces();
    const work = async () => {
      throw new Error('the work fails');
    };
    await expect(tracing.span('one', {}, work)).rejects.toThrow('the work fails');
    await tracing.close();
    expect(collector.spans()).toMatchObject([{ error: 'the work fails' }]);
  });
});

describe('the variables of OpenTelemetry', () => {
  it('add to what is known of the process', async () => {
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=test,service.name=other';
    process.env.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20key';
    const { collector, tracing } = await openTraces().finally(() => {
      delete process.env.OTEL_RESOURCE_ATTRIBUTES;
      delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
    });
    await tracing.span('one', {}, async () => {});
    await tracing.close();
    expect(collector.spans()[0]?.resource).toMatchObject({
      'deployment.environment.name': 'test',
      'service.name': 'other',
      'telemetry.sdk.language': 'nodejs',
    });
    expect(collector.authorization()).toBe('Bearer key');
  });

  it.each([
    [1, [remote.replace(/01$/, '00')], '00'],
    [0, [remote], '01'],
    [0, [], '00'],
    [1, [], '01'],
  ] as const)('choose which traces are kept: %i after %j', async (ratio, traces, flags) => {
    const { collector, tracing } = await openTraces({ ratio });
    const trace = await tracing.span('one', { traces }, async () => tracing.current());
    expect(trace?.slice(-2)).toBe(flags);
    await tracing.close();
    expect(collector.spans()).toHaveLength(Number(flags));
  });
});

describe('a collector', () => {
  it('that fails is logged once until it answers again', async () => {
    const { collector, tracing, logged } = await openTraces();
    const send = () => tracing.span('one', {}, async () => {});
    collector.setAnswer(400);
    await send();
    await expect.poll(() => logged).toHaveLength(1);
    const refused = collector.requests();
    await send();
    await expect.poll(collector.requests).toBeGreaterThan(refused);
    expect(logged).toEqual(['traces cannot be exported; spans are lost meanwhile']);
    collector.setAnswer(200);
    await send();
    await expect.poll(() => collector.spans()).toHaveLength(1);
    await expect.poll(() => logged.at(-1)).toBe('traces are exported again');
  });

  it('that hangs delays neither a span nor the end of the process', async () => {
    const { collector, tracing } = await openTraces();
    collector.setAnswer(0);
    await tracing.span('one', {}, async () => {});
    // The SDK alone would wait for half a minute.
    const limit = AbortSignal.timeout(15_000);
    await tracing.close();
    expect(collector.requests()).toBe(1);
    expect(limit.aborted).toBe(false);
  });
});

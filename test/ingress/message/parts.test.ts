import { describe, expect, it } from 'vitest';
import { readPayload } from '../../../src/ingress/message/parts.ts';

const read = (text: string) => readPayload(Buffer.from(text));

describe('the resource in a delivery', () => {
  const row = '{"onHand":12345678901234567890,"price":1.10,"note":"é"}';

  it.each([
    ['an object', `{"eventType":"X","resource":{"body":${row}}}`],
    ['a string', `{"eventType":"X","Resource":{"Body":${JSON.stringify(row)}}}`],
    ['wrapped', `{"headers":{},"body":{"eventType":"X","resource":{"body":${row}}}}`],
  ])('keeps every digit if it is %s', (_, text) => {
    expect(read(text)).toBe(row);
  });

  it.each([
    ['nothing', ''],
    ['no resource', '{"eventType":"X"}'],
    ['no body', '{"resource":{"href":"/orders/1"}}'],
    ['a body that is no JSON', '{"resource":{"body":"{"}}'],
    ['a body that is nested too deep', JSON.stringify({ resource: { body: '['.repeat(90_000) } })],
  ])('is absent from %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});

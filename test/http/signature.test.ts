import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSigner } from '../../src/http/signature.ts';
import { secret } from '../destinations/announcements/announcements.ts';
import { anyText } from '../support/any-text.ts';

describe('a signature', () => {
  it('is that of the published example', () => {
    const signature = createSigner(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: Buffer.from('{"test": 2432232314}'),
    });
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('of several secrets is accepted by whoever knows one of them, and by nobody else', () => {
    const [old, other] = [1, 2].map((fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`) as [string, string];
    const id = 'order:9104:1/1/created';
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createSigner([secret, old])({ id, timestamp, body: Buffer.from('{}') });
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
    for (const known of [secret, old]) new Webhook(known).verify('{}', headers);
    expect(() => new Webhook(other).verify('{}', headers)).toThrow('No matching');
  });

  it('is verified by the library of Standard Webhooks, whatever is signed', () => {
    const timestamp = Math.floor(Date.now() / 1000);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), anyText(), (id, text) => {
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': createSigner([secret])({ id, timestamp, body: Buffer.from(text) }),
        };
        new Webhook(secret).verify(text, headers, { jsonParse: false });
        expect(() => new Webhook(secret).verify(`${text} `, headers, { jsonParse: false })).toThrow('No matching');
      }),
    );
  });
});

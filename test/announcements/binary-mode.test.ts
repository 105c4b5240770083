import { type CloudEvent, HTTP } from 'cloudevents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBinary } from '../../src/announcements/binary-mode.ts';
import { createAnnouncement } from '../../src/announcements/cloud-event.ts';
import { createTestAnnouncement } from '../../src/announcements/test-announcement.ts';
import { anyInput, packed } from './announcements.ts';
import { examples } from './examples.ts';

const eventOf = ({ headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string }) =>
  (HTTP.toEvent({ headers, body }) as CloudEvent<unknown>).toJSON();

const structured = (body: string) => eventOf({ headers: { 'content-type': 'application/cloudevents+json' }, body });

describe('an announcement in the binary mode', () => {
  it('is the same CloudEvent to the library of CloudEvents', () => {
    const bodies = [...examples.map((input) => createAnnouncement(input).body), createTestAnnouncement('9104').body];
    for (const body of bodies) {
      const { headers, body: data } = toBinary(body);
      expect(headers['content-type']).toBe('application/json');
      expect(eventOf({ headers, body: data.toString() })).toEqual(structured(body));
    }
  });

  it('has its data byte for byte', () => {
    const { body } = createAnnouncement({
      ...packed,
      resources: { order: '{"weight":1.10,"big":12345678901234567890}' },
    });
    expect(toBinary(body).body.toString()).toContain('"order":{"weight":1.10,"big":12345678901234567890}');
    fc.assert(
      fc.property(anyInput, (input) => {
        const text = createAnnouncement(input).body;
        expect(text.endsWith(`,"data":${toBinary(text).body}}`)).toBe(true);
      }),
    );
  });

  it('has the attributes in headers, percent-encoded so that any header may hold them', () => {
    const subject = { tenant: '1', kind: 'order', id: 'A "ü" 100%\n,"data":{}' } as const;
    expect(toBinary(createAnnouncement({ ...packed, subject }).body).headers).toMatchObject({
      'ce-subject': 'orders/A%20%22%C3%BC%22%20100%25%0A,%22data%22:{}',
      'ce-specversion': '1.0',
      'ce-sequence': '0000000003',
    });
    fc.assert(
      fc.property(anyInput, (input) => {
        const text = createAnnouncement(input).body;
        const { data: _, datacontenttype: __, ...attributes } = JSON.parse(text.toWellFormed());
        for (const [name, value] of Object.entries<string>(attributes)) {
          const header = toBinary(text).headers[`ce-${name}`] ?? '';
          expect(header).toMatch(/^[\x21\x23-\x7e]+$/);
          expect(decodeURIComponent(header)).toBe(value.toWellFormed());
        }
      }),
    );
  });
});

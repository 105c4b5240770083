/** Message with its headers, without those of its signature. */
export interface ModedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Content type of the structured mode. */
export const STRUCTURED_TYPE = 'application/cloudevents+json; charset=utf-8';

/** Returns a recorded announcement in the structured mode: its very bytes. */
export const toStructured = (announcement: string): ModedMessage => ({
  headers: { 'content-type': STRUCTURED_TYPE },
  body: Buffer.from(announcement),
});

/** Beginning of the last member of a recorded announcement. The attributes before it are texts, in which quotes are escaped. */
export const DATA = ',"data":';

/** Splits a recorded announcement into its attributes and its data, which keeps every byte. */
export function splitAnnouncement(announcement: string) {
  const end = announcement.indexOf(DATA);
  const { datacontenttype = 'application/json', ...attributes }: Readonly<Record<string, string>> = JSON.parse(
    `${announcement.slice(0, end)}}`,
  );
  return { datacontenttype, attributes, data: announcement.slice(end + DATA.length, -1) };
}

/** Returns a recorded announcement in the binary mode. Its data keeps every byte. */
export function toBinary(announcement: string): ModedMessage {
  const { datacontenttype, attributes, data } = splitAnnouncement(announcement);
  const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeHeader(value)]);
  return { headers: { 'content-type': datacontenttype, ...Object.fromEntries(headers) }, body: Buffer.from(data) };
}

/** Percent-encodes spaces, quotes, percent signs and everything beyond printable ASCII (HTTP binding, section 3.1.3.2). */
const encodeHeader = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/[^\x21\x23\x24\x26-\x7e]+/g, (part) =>
      Buffer.from(part).toString('hex').toUpperCase().replaceAll(/../g, '%$&'),
    );

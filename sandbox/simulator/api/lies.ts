import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createOccasions } from '../occasions.ts';
import type { Stream } from '../random.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Faults } from './faults.ts';

/** Answer on its way out. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Lies about GETs, in the order in which they are told. Another record and a 401 are the API's to answer. */
export const lies = [
  ...(['wrongRecord', 'errorIn200', 'maintenancePage', 'unaskedGzip', 'cutShort', 'partial', 'redirects'] as const),
  ...(['retryAfterZero', 'tokenTaken'] as const),
] as const;

/** Lies of the token endpoint, in the order in which they are told. */
export const tokenLies = ['maintenancePage', 'tokenErrorIn200', 'tokenUnusable'] as const;

/** Lies of a listing of records by their ids, in the order in which they are told. */
export const pageLies = ['rowsMissing', 'rowsRepeated', 'rowsReversed', 'rowsOld', 'rowsUnasked'] as const;

/** Listing that is not what was asked for. */
export type PageLie = (typeof pageLies)[number];

/** Answer that is not what was asked for, though nothing says so. */
type Lie = (typeof lies)[number] | (typeof tokenLies)[number] | PageLie;

/** Tells lies. */
export type Liar = ReturnType<typeof createLiar>;

const codings = [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const;

const json = (body: string, status = 200): Answer => ({
  status,
  body,
  headers: { 'content-type': 'application/json; charset=utf-8' },
});

/** Changes the true answer; `told` is how often this lie was told before, `cut` any place within the body, `url` an address elsewhere. */
type Alter = (truth: Answer, context: { readonly told: number; readonly cut: number; readonly url: string }) => Answer;

const alterations: { readonly [L in Lie]?: Alter } = {
  errorIn200: (_, { told }) => json(told % 2 === 0 ? '{"Message":"An error has occurred."}' : '{}'),
  maintenancePage: () => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<html><head><title>Maintenance</title></head><body>We will be back soon.</body></html>',
  }),
  unaskedGzip: (truth, { told }) => {
    const [coding, encode] = codings[told % codings.length] ?? codings[0];
    return { ...truth, headers: { ...truth.headers, 'content-encoding': coding }, body: encode(truth.body) };
  },
  cutShort: (truth, { cut }) => ({ ...truth, body: Buffer.from(truth.body).subarray(0, cut) }),
  partial: (truth, { told }) => {
    const whole = Buffer.from(truth.body);
    const body = told % 2 === 0 ? whole.subarray(0, whole.length / 2) : whole;
    const range = `bytes 0-${body.length - 1}/${whole.length}`;
    return { status: 206, headers: { ...truth.headers, 'content-range': range }, body };
  },
  redirects: (_, { url }) => ({ status: 302, headers: { location: url }, body: '' }),
  retryAfterZero: (_, { told }) => ({
    status: 503,
    body: '',
    headers: { 'retry-after': told % 2 === 0 ? '0' : 'Thu, 01 Jan 2015 00:00:00 GMT' },
  }),
  tokenErrorIn200: () => json('{"error":"temporarily_unavailable"}'),
  tokenUnusable: ({ body }) => {
    const token = JSON.parse(String(body));
    return json(JSON.stringify({ ...token, access_token: `${token.access_token.slice(0, 9)}\n${token.access_token}` }));
  },
};

/**
 * Creates a liar whose rates are those of the faults. Below a rate of 1 no two answers in a row about one path are lies, so that
 * whoever asks again learns the truth.
 */
export function createLiar(deps: {
  readonly stream: Stream;
  readonly faults: { readonly current: () => Faults };
  readonly elsewhere: Elsewhere;
}) {
  const { stream, faults, elsewhere } = deps;
  const occasions = { get: createOccasions(stream), token: createOccasions(stream), page: createOccasions(stream) };
  const lastLied = new Set<string>();
  const told: { [L in Lie]?: number } = {};
  /** Decides which lie is told about a path, if any. */
  const next = <L extends Lie>(of: keyof typeof occasions, names: readonly L[], path: string): L | undefined => {
    const current = faults.current();
    const rates = Object.fromEntries(names.map((name) => [name, current[name]])) as Record<L, number>;
    const isCertain = names.some((name) => rates[name] === 1);
    if (lastLied.delete(path) && !isCertain) return undefined;
    const lie = occasions[of].next(rates);
    if (lie) lastLied.add(path);
    return lie;
  };
  return {
    next: (path: string) => next('get', lies, path),
    nextOfTokens: () => next('token', tokenLies, 'token'),
    /** Returns the lie that a listing by ids tells with its rows, and counts it. */
    nextOfPages() {
      const lie = next('page', pageLies, 'page');
      if (lie) told[lie] = (told[lie] ?? 0) + 1;
      return lie;
    },
    /** Returns the answer in the form that the lie gives it, and counts the lie. */
    async tell(lie: Lie | undefined, truth: Answer, path: string): Promise<Answer> {
      if (!lie) return truth;
      const before = told[lie] ?? 0;
      told[lie] = before + 1;
      const url = lie === 'redirects' ? (await elsewhere.url()) + path : '';
      const cut = stream.between(1, Math.max(1, Buffer.byteLength(truth.body) - 1));
      return alterations[lie]?.(truth, { told: before, cut, url }) ?? truth;
    },
    /** Returns how often each lie was told. */
    counts: () => ({ ...told }),
  };
}

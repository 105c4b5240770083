import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { z } from 'zod';
import { MOMENT } from '../../../src/admin/queries.ts';
import { parseMoment } from '../../../src/base/moment.ts';
import { file } from '../../../tools/openapi/document.ts';

interface Reference {
  readonly $ref: string;
}

interface Response {
  readonly content: Readonly<Record<string, { readonly schema: Reference }>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
  readonly responses: Readonly<Record<string, Reference | Response>>;
}

/** Document, as far as answers are checked against it. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

const document = closed(JSON.parse(readFileSync(file, 'utf8')) as Document);

/** Allows objects no other members than those that are described, so that an answer has none that the document lacks. */
function closed<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed) as T;
  const isObject = 'type' in value && value.type === 'object' && 'properties' in value;
  const members = Object.entries(value).map(([name, member]) => [name, closed(member)]);
  return { ...(isObject && { additionalProperties: false }), ...Object.fromEntries(members) };
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
ajv.addFormat('date-time', (text) => z.iso.datetime({ offset: true }).safeParse(text).success);
ajv.addFormat(MOMENT, (text) => !Number.isNaN(parseMoment(text, Date.now())));
ajv.addVocabulary(Object.keys(document));
ajv.addSchema(document, 'openapi');

/** Returns the errors of a value against a schema of the document. */
export function errorsOf(ref: string, value: unknown): readonly unknown[] {
  const validate = ajv.getSchema(`openapi${ref}`);
  if (!validate) throw new Error(`${file} has no ${ref}`);
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Matches the addresses of a path; the id of an announcement may have slashes. */
function patternOf(path: string): RegExp {
  const id = /^\/(announcements|records)\//.test(path) ? '.+' : '[^/]+';
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, id)}$`);
}

const calls = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, pattern: patternOf(path) })),
  )
  // `/announcements/{id}/resend` before `/announcements/{id}`.
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')) || b.path.length - a.path.length);

/** Call of the administrative API with its answer. */
interface AnsweredCall {
  readonly method: string;
  readonly path: string;
  /** Body of the request; undefined if it has none. */
  readonly sent?: unknown;
  readonly answer: { readonly status: number; readonly type: string | null; readonly body: unknown };
}

/**
 * Fails a test whose answer is none that the document describes, or that was served what it does not allow. An address that is none of
 * its paths has a problem as its answer.
 */
export function checkAnswer({ method, path, sent, answer: { status, type, body } }: AnsweredCall): void {
  const [address = '', query] = path.split('?');
  const call = calls.find((it) => it.method === method.toLowerCase() && it.pattern.test(address));
  const listed = call ? call.operation.responses[status] : { $ref: '#/components/responses/NotFound' };
  const response =
    listed && '$ref' in listed ? document.components.responses[listed.$ref.split('/').at(-1) ?? ''] : listed;
  const ref = response?.content[String(type)]?.schema.$ref;
  expect(ref, `${file} has no answer ${status} ${type} of ${method} ${call?.path ?? path}`).toBeDefined();
  expect(errorsOf(String(ref), body), `${method} ${path} answered ${status} other than ${file} says`).toEqual([]);
  if (call && status < 300) checkRequest(call, { query, sent });
}

function checkRequest(
  { path, method, operation }: (typeof calls)[number],
  { query, sent }: { readonly query: string | undefined; readonly sent: unknown },
): void {
  const known = operation.parameters?.map((it) => it.in === 'query' && it.name);
  const unknown = [...new URLSearchParams(query).keys()].filter((name) => !known?.includes(name));
  expect(unknown, `${file} lacks parameters of ${method} ${path}`).toEqual([]);
  if (sent === undefined) return;
  const ref = `#/paths/${path.replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema`;
  expect(errorsOf(ref, sent), `${method} ${path} took a body that ${file} does not allow`).toEqual([]);
}

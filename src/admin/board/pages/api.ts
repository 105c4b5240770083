import type { JsonSchema } from '../../../http/json-schema.ts';
import {
  type DescribedAnswer,
  type DescribedCall,
  type OpenApi,
  type Parameter,
  resolve,
} from '../../openapi/open-api.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { formOf, schemaTable } from '../schema-table.ts';
import { table } from '../table.ts';
import { prose } from '../text.ts';

/** Call with its method and its path. */
interface PlacedCall {
  readonly method: string;
  readonly path: string;
  readonly call: DescribedCall;
}

/** Returns the calls of the API in their order. */
export const callsOf = ({ paths }: OpenApi): PlacedCall[] =>
  Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({ method: method.toUpperCase(), path, call })),
  );

const page = (title: string, content: Markup): Page => ({ title, section: '/board/system', content });

/** Page of everything in the document: calls, and announcements. */
export const apiPage = (document: OpenApi): Page =>
  page(
    'API',
    html`<h1>API</h1>
<p>What programs can ask of Dockline, and what it announces, as its OpenAPI document has it. <a href="/board/api/openapi.json" download>Download openapi.json</a> to generate clients.</p>
<section><h2 id="calls">Calls</h2>
<p class="muted">Requests need the header <code>Authorization: Bearer</code> and a token with the role of the call. Where no token is configured, only programs on this machine are admitted.</p>
${listing(
  'calls',
  'Call',
  callsOf(document).map(({ method, path, call }) => [
    html`<a href="/board/api/calls/${call.operationId}"><code>${method} ${path}</code></a>`,
    prose(call.summary),
  ]),
)}</section>
<section><h2 id="announcements">Announcements</h2>
<p class="muted">Each is a POST to the destination, signed as Standard Webhooks says.</p>
${listing(
  'announcements',
  'Type',
  Object.entries(document.webhooks).map(([type, { post }]) => [
    html`<a href="/board/api/announcements/${type}"><code>${type}</code></a>`,
    prose(post.description ?? ''),
  ]),
)}</section>`,
  );

const listing = (label: string, what: string, rows: readonly (readonly [Markup, Markup])[]): Markup =>
  table({
    heading: label,
    columns: [what, 'Meaning'],
    rows: rows.map(([name, meaning]) => html`<tr><th scope="row">${name}</th><td>${meaning}</td></tr>`),
  });

const back = html`<p><a href="/board/api">All of the API</a></p>`;

/** Page of one call: parameters, body and answers. */
export function callPage(document: OpenApi, { method, path, call }: PlacedCall): Page {
  const { summary, requestBody, security } = call;
  const [role] = Object.values(security?.[0] ?? {}).flat();
  return page(
    summary,
    html`${back}<h1><code>${method} ${path}</code></h1><p>${prose(summary)}.${role !== undefined && html` It needs a token with the role <code>${role}</code>.`}</p>
${parameterSection(document, call)}
${requestBody && html`<section><h2>Body</h2><p class="muted">JSON${!requestBody.required && ', optional'}</p>${schemaTable(requestBody.content['application/json']?.schema ?? {}, 'Body')}</section>`}
<section><h2 id="answers">Answers</h2>${answerTable(document, call)}</section>`,
  );
}

function parameterSection(document: OpenApi, { parameters = [] }: DescribedCall): Markup | null {
  if (parameters.length === 0) return null;
  const all = parameters.map((parameter) => resolve<Parameter>(document, parameter));
  return html`<section><h2 id="parameters">Parameters</h2>
${table({
  heading: 'parameters',
  columns: ['Name', 'In', 'Form', 'Meaning'],
  rows: all.map(
    ({ name, in: place, required, schema, description = schema.description }) => html`<tr>
<th scope="row"><code>${name}</code>${!required && html` <span class="muted">optional</span>`}</th><td>${place}</td><td>${formOf(schema)}</td><td>${description !== undefined && prose(description)}</td></tr>`,
  ),
})}</section>`;
}

function answerTable(document: OpenApi, { responses }: DescribedCall): Markup {
  const answers = Object.entries(responses).map(
    ([status, answer]) => [status, resolve<DescribedAnswer>(document, answer)] as const,
  );
  return table({
    heading: 'answers',
    columns: ['Status', 'Meaning', 'Body'],
    rows: answers.map(
      ([status, { description, content = {} }]) => html`<tr><th scope="row">${status}</th><td>${prose(description)}</td>
<td>${Object.entries(content).map(([type, { schema }]) => html`${formOf(schema)} <span class="muted">${type}</span>`)}</td></tr>`,
    ),
  });
}

/** Type of announcements, with the schema of its own `data` if it has one. */
export interface AnnouncementType {
  readonly type: string;
  readonly call: DescribedCall;
  readonly data: JsonSchema | undefined;
}

/** Page of one type of announcements: its meaning, an example and its members. */
export function announcementTypePage(document: OpenApi, { type, call, data }: AnnouncementType): Page {
  const [body] = Object.values(call.requestBody?.content ?? {});
  return page(
    type,
    html`${back}<h1><code>${type}</code></h1><p>${prose(call.description ?? '')}</p>
${parameterSection(document, call)}
<section><h2 id="example">Example</h2>
<pre class="body" tabindex="0" role="region" aria-labelledby="example"><code dir="ltr">${JSON.stringify(body?.example, null, 2)}</code></pre></section>
${memberSections(document, body?.schema ?? {}, data)}`,
  );
}

/** Shows the attributes of an announcement, and those members of its data that its type can have. */
function memberSections(document: OpenApi, schema: JsonSchema, ofType: JsonSchema | undefined): Markup {
  const { properties = {}, required } = resolve<JsonSchema>(document, schema);
  const { data = {}, ...attributes } = { ...properties, ...schema.properties } as Record<string, JsonSchema>;
  const { properties: all = {}, ...rest } = resolve<JsonSchema>(document, data);
  const known = (ofType?.properties ?? all) as Record<string, JsonSchema>;
  const own = Object.entries(all as Record<string, JsonSchema>).flatMap(([name, member]) => {
    const { const: value } = known[name] ?? {};
    return name in known ? [[name, value === undefined ? member : { ...member, const: value }] as const] : [];
  });
  return html`<section><h2 id="attributes">Attributes</h2>${schemaTable({ properties: attributes, ...(required && { required }) }, 'Attributes')}</section>
<section><h2 id="data">Data</h2>${schemaTable({ ...rest, properties: Object.fromEntries(own) }, 'Data')}</section>`;
}

/** Page of a schema that others refer to. */
export const schemaPage = (document: OpenApi, name: string): Page | undefined => {
  const schema = Object.hasOwn(document.components.schemas, name) ? document.components.schemas[name] : undefined;
  if (!schema) return undefined;
  const { description } = schema;
  return page(
    name,
    html`${back}<h1>${name}</h1>${description !== undefined && html`<p>${prose(description)}</p>`}
<section><h2 id="members">Form</h2>${schemaTable(schema, 'Form')}</section>`,
  );
};

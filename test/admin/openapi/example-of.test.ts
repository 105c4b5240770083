import { expect, it } from 'vitest';
import { exampleOf } from '../../../src/admin/openapi/document.ts';
import { createOpenApi } from '../../../src/app/admin-api.ts';
import { calls } from '../../../src/app/operations.ts';
import { errorsOf } from './check-answer.ts';

const { schemas } = createOpenApi().components;
const answers = [...new Set(calls.flatMap((call) => Object.values(call.answers)))];

it.each(answers)('makes an example that the schema of an answer allows: %s', (name) => {
  const example = exampleOf(schemas[name] ?? {}, schemas);
  expect(errorsOf(`#/components/schemas/${name}`, example)).toEqual([]);
});

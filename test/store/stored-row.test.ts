import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { instant } from '../../src/admin/views/view.ts';
import { columnsFor, nullsOf, readRow } from '../../src/store/rows.ts';

const form = z.object({ id: z.int(), receivedAt: instant, observedAt: instant.nullable(), subject: z.string() });

it('columns are selected as the members of a row that they have', () => {
  const selected = columnsFor('inbox', form);
  expect(selected).toEqual(['inbox.id as id', 'inbox.received_at as receivedAt', 'inbox.observed_at as observedAt']);
  expectTypeOf(selected).toExtend<readonly `inbox.${string} as ${'id' | 'receivedAt' | 'observedAt'}`[]>();
});

it('a row has what is stored, with dates for times, and what is computed, in the order of its form', () => {
  const row = readRow(form, { receivedAt: 1000, observedAt: null, id: 7, other: 1 }, { subject: 'order:9104:1' });
  expect(JSON.stringify(row)).toBe(
    '{"id":7,"receivedAt":"1970-01-01T00:00:01.000Z","observedAt":null,"subject":"order:9104:1"}',
  );
  // @ts-expect-error: nothing says what it is about
  readRow(form, { id: 7, receivedAt: 1000, observedAt: null }, {});
});

it('nulls stand for the members that may be null', () => {
  expect(nullsOf(form)).toEqual({ observedAt: null });
});

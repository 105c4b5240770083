import { beforeEach, describe, expect, it } from 'vitest';
import { announcementOf } from '../consumer/workflow/announcements.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { useReceiving } from './run-receiving.ts';

quietRuntime();
const receiving = useReceiving();

const calls: string[] = [];
beforeEach(() => void calls.splice(0));

const note = (name: string) => async () => void calls.push(name);
const payments = {
  reserve: note('reserve'),
  capture: note('capture'),
  release: note('release'),
  apologize: note('apologize'),
};

const [created, packed, confirmed, canceled, overdue] = [
  announcementOf(1, 'created'),
  announcementOf(2, 'packed'),
  announcementOf(3, 'confirmed'),
  announcementOf(2, 'canceled'),
  announcementOf(2, 'overdue'),
];

describe('the example', () => {
  it('captures the payment of an order that ships, whatever comes twice or early', async () => {
    await receiving().work(payments);
    const { announce, handle } = receiving().begin('fulfillment');
    await announce(packed, created, packed, confirmed);
    expect(await handle.result()).toBe('captured');
    expect(calls).toEqual(['reserve', 'capture']);
  });

  it('releases the payment of an order that is canceled', async () => {
    await receiving().work(payments);
    const { announce, handle } = receiving().begin('fulfillment');
    await announce(created, canceled);
    expect(await handle.result()).toBe('released');
    expect(calls).toEqual(['reserve', 'release']);
  });

  it('apologizes for an order that is overdue, and captures the payment if it ships nevertheless', async () => {
    await receiving().work(payments);
    const { announce, handle } = receiving().begin('fulfillment');
    await announce(created, overdue);
    await expect.poll(() => calls).toEqual(['reserve', 'apologize']);
    await announce(confirmed);
    expect(await handle.result()).toBe('captured');
    expect(calls).toEqual(['reserve', 'apologize', 'capture']);
  });

  it('releases the payment if the workflow is canceled', async () => {
    await receiving().work(payments);
    const { announce, handle } = receiving().begin('fulfillment');
    await announce(created);
    await expect.poll(() => calls).toEqual(['reserve']);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    expect(calls).toEqual(['reserve', 'release']);
  });

  it('goes on in another worker', async () => {
    const { shutDown } = await receiving().work(payments);
    const { announce, handle } = receiving().begin('fulfillment');
    await announce(created);
    await expect.poll(() => calls).toEqual(['reserve']);
    await shutDown();
    await announce(confirmed, packed);
    await receiving().work(payments);
    expect(await handle.result()).toBe('captured');
    expect(calls).toEqual(['reserve', 'capture']);
  });

  it('takes the same announcements again once it is reset', async () => {
    await receiving().work(payments);
    const { announce, handle, reset } = receiving().begin('fulfillment');
    await announce(created, packed, confirmed);
    expect(await handle.result()).toBe('captured');
    await reset();
    expect(await handle.result()).toBe('captured');
    expect(calls.slice(2)).toEqual(['reserve', 'capture']);
  });
});

import { destinationAddress } from '../../src/admin/board/addresses.ts';
import type { Guide } from '../../src/admin/board/layout.ts';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { guideTo, type Try } from './guide-board.ts';

/** Parts of a demonstration that its guide breaks and mends, or shows. */
interface Parts {
  readonly simulator: Pick<Simulator, 'tplId' | 'truth' | 'faults' | 'setFaults' | 'createOrder' | 'emit' | 'deliver'>;
  readonly receiver: Pick<Receiver, 'setAnswer'>;
  /** Name of the receiver's destination. */
  readonly destination: string;
  /** It has a process if it is embedded; another one is not ours to stop. */
  readonly temporal: { readonly pid?: number } | undefined;
  readonly mailboxUrl: string | undefined;
}

/** Answer of a receiver that is down. */
const DOWN = { status: 503, text: 'Down for maintenance. Back at half past.' };

/** Creates the guide of a demonstration; `repair` lets Temporal go on, which could not end otherwise. */
export function createGuide({
  simulator,
  receiver,
  destination: name,
  temporal,
  mailboxUrl,
}: Parts): Guide & { repair(): void } {
  const tenant = String(simulator.tplId);
  const destination = { tenant, name };
  const tried = new Set<string>();
  let isReceiverDown = false;
  let isTemporalDown = false;
  let temporalUi: string | undefined;

  const acts: Readonly<Record<string, () => string | undefined | Promise<string>>> = {
    receiver() {
      isReceiverDown = !isReceiverDown;
      if (isReceiverDown) receiver.setAnswer(DOWN.status, {}, DOWN.text);
      else receiver.setAnswer(204);
      return destinationAddress(destination);
    },
    warehouse() {
      simulator.setFaults({ down: !simulator.faults().down });
      return '/board';
    },
    async twice() {
      const id = simulator.createOrder();
      await simulator.deliver(await simulator.emit(id, 'OrderCreate'));
      return '/board/webhooks?event=OrderCreate';
    },
    temporal() {
      if (temporal?.pid === undefined) return undefined;
      stopTemporal(!isTemporalDown);
      return '/board';
    },
    again: () => '/board/bulk',
  };

  const standing = () => ({
    isReceiverDown,
    isWarehouseDown: simulator.faults().down,
    isTemporalDown: temporal?.pid === undefined ? undefined : isTemporalDown,
  });

  const pages: Readonly<Record<string, () => string | undefined>> = {
    mailbox: () => mailboxUrl,
    workflow: () => temporalUi,
  };

  const guide = guideTo({
    list(temporalUrl) {
      temporalUi = workflowIn(temporalUrl);
      return [
        ...toBreak(standing()),
        ...toSee({ mailboxUrl, temporalUi, again: { tenant, destination: name } }),
      ].flatMap((it) => (it ? { ...it, isTried: tried.has(it.name) } : []));
    },
    async act(asked) {
      const address = Object.hasOwn(acts, asked) ? await acts[asked]?.() : undefined;
      if (address !== undefined) tried.add(asked);
      return address;
    },
    open(asked) {
      const address = Object.hasOwn(pages, asked) ? pages[asked]?.() : undefined;
      if (address !== undefined) tried.add(asked);
      return address;
    },
  });
  return {
    ...guide,
    repair() {
      if (isTemporalDown) stopTemporal(false);
    },
  };

  function stopTemporal(isStopped: boolean): void {
    isTemporalDown = isStopped;
    if (temporal?.pid !== undefined) process.kill(temporal.pid, isStopped ? 'SIGSTOP' : 'SIGCONT');
  }

  function workflowIn(temporalUrl: string | undefined): string | undefined {
    const order = simulator.truth().findLast(({ kind, events }) => kind === mainKind && events.length > 0);
    return order && temporalUrl && `${temporalUrl}/workflows/${encodeURIComponent(subjectKey(order))}`;
  }
}

/** False for what is not there. */
type Offer = Omit<Try, 'isTried'> | false;

interface Standing {
  readonly isReceiverDown: boolean;
  readonly isWarehouseDown: boolean;
  /** Undefined where it is not ours to stop. */
  readonly isTemporalDown: boolean | undefined;
}

function toBreak({ isReceiverDown, isWarehouseDown, isTemporalDown }: Standing): readonly Offer[] {
  return [
    {
      name: 'receiver',
      title: 'Kill the receiver',
      text: isReceiverDown
        ? 'It answers 503. Its page shows what waits and each attempt; after a minute the mailbox has an alert. Bring it back: everything arrives once, and in order.'
        : 'Your system stops taking announcements. Orders keep moving, and their announcements wait.',
      button: isReceiverDown ? 'Bring the receiver back' : 'Kill the receiver',
    },
    {
      name: 'warehouse',
      title: 'Take the warehouse down',
      text: isWarehouseDown
        ? 'Its API answers 503. Webhooks are still accepted at once and wait for the details of their orders; the overview says why. Bring it back: nothing was lost.'
        : 'Its API stops answering. Webhooks keep coming, and nobody needs to act.',
      button: isWarehouseDown ? 'Bring the warehouse back' : 'Take the warehouse down',
    },
    {
      name: 'twice',
      title: 'Send a webhook twice',
      text: 'A new order is created, and the warehouse delivers the event twice. The list shows it once, with a link to its order.',
      button: 'Send it twice',
    },
    isTemporalDown !== undefined && {
      name: 'temporal',
      title: 'Stop Temporal',
      text: isTemporalDown
        ? 'Temporal hangs. Webhooks are still answered 200 and wait; the overview says so. Resume it: every order catches up.'
        : 'The workflow engine hangs in the middle of its work, as on a bad day of your cluster.',
      button: isTemporalDown ? 'Resume Temporal' : 'Stop Temporal',
    },
  ];
}

interface Sights {
  readonly mailboxUrl: string | undefined;
  readonly temporalUi: string | undefined;
  readonly again: Readonly<Record<'tenant' | 'destination', string>>;
}

function toSee({ mailboxUrl, temporalUi, again }: Sights): readonly Offer[] {
  return [
    mailboxUrl !== undefined && {
      name: 'mailbox',
      title: 'Open the mailbox',
      text: 'Alerts go to a mailbox of the demonstration. When something breaks for a minute, one mail says what, and another when it is over.',
      button: 'Open the mailbox',
      isElsewhere: true,
    },
    temporalUi !== undefined && {
      name: 'workflow',
      title: 'Open an order in Temporal',
      text: 'Each order is one workflow, with its stage, what it waits for and every activity.',
      button: 'Open the newest order',
      isElsewhere: true,
    },
    {
      name: 'again',
      title: 'Send announcements again',
      text: 'Sends everything of the last hour again, as after a mistake on your side. A preview comes first; the receiver knows every id and takes none twice.',
      button: 'Send the last hour again…',
      fields: { action: 'replay', ...again, since: '1h' },
    },
  ];
}

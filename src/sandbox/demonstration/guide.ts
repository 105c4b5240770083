import { destinationAddress } from '../../admin/board/addresses.ts';
import type { Guide, Try } from '../../admin/guide.ts';
import { DEFAULT_DESTINATION } from '../../config/tenants/tenant.ts';
import { subjectKey } from '../../domain/catalogue/subject.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { Simulator } from '../simulator/simulator.ts';

/** Creates the guide of a demonstration, whose parts it breaks and mends. */
export function createGuide({
  simulator,
  receiver,
}: {
  readonly simulator: Pick<Simulator, 'tplId' | 'truth' | 'faults' | 'setFaults' | 'createOrder' | 'emit' | 'deliver'>;
  readonly receiver: Pick<Receiver, 'setAnswer'>;
}): Guide {
  const tenant = String(simulator.tplId);
  const destination = { tenant, name: DEFAULT_DESTINATION };
  let isHidden = false;
  let isReceiverDown = false;

  const acts: Readonly<Record<string, () => Promise<string>>> = {
    async receiver() {
      isReceiverDown = !isReceiverDown;
      receiver.setAnswer(isReceiverDown ? 503 : 204);
      return destinationAddress(destination);
    },
    async warehouse() {
      simulator.setFaults({ down: !simulator.faults().down });
      return '/board';
    },
    async twice() {
      const id = simulator.createOrder();
      await simulator.deliver(await simulator.emit(id, 'OrderCreate'));
      return '/board/webhooks?event=OrderCreate';
    },
  };

  return {
    tries: (temporalUrl) => [
      {
        title: 'Kill the receiver',
        text: isReceiverDown
          ? 'It answers 503. Its page shows what waits and each attempt; after a minute the mailbox has an alert. Bring it back: everything arrives once, and in order.'
          : 'Your system stops taking announcements. Orders go on, and what they have to tell waits for it.',
        button: isReceiverDown ? 'Bring the receiver back' : 'Kill the receiver',
        leads: { address: '/board/guide/receiver' },
      },
      {
        title: 'Take the warehouse down',
        text: simulator.faults().down
          ? 'Its API answers 503. Webhooks are still accepted at once and wait for the details of their orders; this page says why. Bring it back: nothing was lost.'
          : 'Its API stops answering. Webhooks still come, and nobody has to do anything.',
        button: simulator.faults().down ? 'Bring the warehouse back' : 'Take the warehouse down',
        leads: { address: '/board/guide/warehouse' },
      },
      {
        title: 'Send a webhook twice',
        text: 'A new order is created, and the warehouse delivers the event twice. The newest webhook of the list is there once, and leads to its order.',
        button: 'Send it twice',
        leads: { address: '/board/guide/twice' },
      },
      ...inTemporal(temporalUrl),
      {
        title: 'Send announcements again',
        text: 'Prepares to send everything of the last hour again, as after a mistake of yours. It shows first what it would do; the receiver knows every id and takes none twice.',
        button: 'Send the last hour again…',
        leads: {
          address: '/board/bulk',
          fields: { action: 'repeat', tenant, destination: DEFAULT_DESTINATION, since: '1h' },
        },
      },
    ],
    act: async (name) => (Object.hasOwn(acts, name) ? await acts[name]?.() : undefined),
    isHidden: () => isHidden,
    hide(hidden) {
      isHidden = hidden;
    },
  };

  function inTemporal(temporalUrl: string | undefined): Try[] {
    const order = simulator.truth().findLast(({ kind, events }) => kind === 'order' && events.length > 0);
    if (!order || temporalUrl === undefined) return [];
    return [
      {
        title: 'Open an order in Temporal',
        text: 'Each order is one workflow, with its stage, what it waits for and every activity.',
        button: 'Open the newest order',
        leads: `${temporalUrl}/workflows/${encodeURIComponent(subjectKey(order))}`,
      },
    ];
  }
}

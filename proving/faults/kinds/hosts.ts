import { type Fault, FaultError, startLoad } from '../fault.ts';
import { settle as untilSettled } from '../verification.ts';
import { outage } from './outage.ts';

/** Layout of several processes of each role on two hosts. */
const onTwoHosts = { needs: ['postgres'], isSpread: true, onHosts: 2, mayRepeat: true } as const;

/** Cuts the link of a host for a while. Its processes go on, and their connections are silent. */
export const cutOff: Fault = outage('host-cut-off', {
  description: 'one of two hosts with processes of every role is cut off the network',
  ...onTwoHosts,
  async fail({ fixture: { hosts }, moments }, hold) {
    const host = hosts[moments.between(0, hosts.length - 1)];
    await host?.cut();
    await hold();
    await host?.restore();
  },
});

/** Loses a host with its processes, which say goodbye to nobody. The other one has to announce everything; then it is back. */
export const lostHost: Fault = {
  name: 'host-lost',
  description:
    'one of two hosts with processes of every role is lost, and comes back when the other has announced everything',
  ...onTwoHosts,
  async run({ fixture, moments, untilHealthy, endure, say, settle, signal }) {
    const { simulator, hosts } = fixture;
    const host = hosts[moments.between(0, hosts.length - 1)];
    const processes = host?.processes ?? [];
    const stopLoad = startLoad(simulator);
    await untilHealthy();
    await host?.cut();
    await Promise.all(processes.map((process) => process.kill()));
    say(`lost ${processes.map(({ name }) => name).join(', ')}`);
    await endure();
    const stopped = stopLoad();
    // What the lost host accepted without an answer is announced, and counts as one too many until it is sent again.
    const { missing } = await untilSettled({ records: fixture, quietMs: 1_000, patienceMs: 180_000, say, signal });
    if (missing > 0) throw new FaultError(`the other host did not announce ${missing}`);
    say('the other host announced everything');
    await host?.restore();
    await Promise.all(processes.map((process) => process.start()));
    await stopped;
    await settle();
  },
};

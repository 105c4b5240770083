import { type Fault, startLoad } from '../fault.ts';

/** Stops each of several processes of every role with SIGTERM and starts it again, one after the other, as an upgrade does. */
export const rolling: Fault = {
  name: 'roll-every-role',
  description: 'two webhooks, two dispatchers and three workers are replaced one after the other',
  needs: ['postgres'],
  isSpread: true,
  mayRepeat: false,
  async run({ fixture: { simulator, processes }, rounds, say, settle }) {
    for (let round = 1; round <= rounds; round += 1) {
      const stopLoad = startLoad(simulator);
      for (const process of processes) {
        await process.stop();
        await process.start();
        say(`round ${round} of ${rounds}: replaced ${process.name}`);
      }
      await stopLoad();
      await settle();
    }
  },
};

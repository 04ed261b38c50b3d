import request from 'supertest';
import { createApp } from '../../../../server/http/app';
import { createLogger } from '../../../../server/config/logger';
import { fakeEngine } from '../../../support/fake-engine';
import { testSettings } from '../../../support/settings';

// The engine of the test refuses everything: what gets there is not a 400.
const app = createApp(fakeEngine({}), testSettings(), createLogger('silent'));

test('names that the reference takes for an id are one here, too', async () => {
  for (const path of ['/i/t/_suggest', '/i/t/_other']) {
    expect((await request(app).post(path).send('{}')).status).not.toBe(400);
  }
});

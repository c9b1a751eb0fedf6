import { describeFixtures } from '../../support/fixtures';

describeFixtures('idempotency keys and fencing tokens', __dirname);

import { describeFixtures } from '../../support/fixtures';

describeFixtures('queues and limits', __dirname);

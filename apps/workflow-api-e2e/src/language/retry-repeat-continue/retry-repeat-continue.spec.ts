import { describeFixtures } from '../../support/fixtures';

describeFixtures('retry, repeat, continue, stop', __dirname);

import { describeFixtures } from '../../support/fixtures';

describeFixtures('secrets and logs', __dirname);

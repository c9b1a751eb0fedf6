import { describeFixtures } from '../../support/fixtures';

describeFixtures('foreach', __dirname);

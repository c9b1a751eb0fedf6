import { describeFixtures } from '../../support/fixtures';

describeFixtures('git', __dirname);

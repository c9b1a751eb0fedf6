import { describeFixtures } from '../../support/fixtures';

describeFixtures('outputs', __dirname);

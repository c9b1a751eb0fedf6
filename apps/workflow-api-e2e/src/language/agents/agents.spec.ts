import { describeFixtures } from '../../support/fixtures';

describeFixtures('agents', __dirname);

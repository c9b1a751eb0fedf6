import { describeFixtures } from '../../support/fixtures';

describeFixtures('steps and dependencies', __dirname);

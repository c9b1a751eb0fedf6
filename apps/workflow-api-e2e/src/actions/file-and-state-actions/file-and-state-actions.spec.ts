import { describeFixtures } from '../../support/fixtures';

describeFixtures('file and state actions', __dirname);

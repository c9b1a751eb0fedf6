import { describeFixtures } from '../../support/fixtures';

describeFixtures('step defaults', __dirname);

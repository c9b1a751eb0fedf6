-- CreateTable
CREATE TABLE "Calendar" (
    "name" TEXT NOT NULL,
    "definition" TEXT NOT NULL,
    "revision" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "updatedBy" TEXT NOT NULL,

    CONSTRAINT "Calendar_pkey" PRIMARY KEY ("name")
);

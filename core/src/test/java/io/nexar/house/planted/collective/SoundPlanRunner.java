package io.nexar.house.planted.collective;

/** Sound: nothing but itself. */
public class SoundPlanRunner {}
